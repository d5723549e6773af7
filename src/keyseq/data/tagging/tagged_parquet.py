"""Add a column of keyphrases to a Parquet file; its other columns and their metadata stay."""

from typing import BinaryIO

from keyseq.data.formats.parquet import BATCH, row_reader, told_if_damaged
from keyseq.data.formats.source import CorpusSource
from keyseq.data.tagging.tags import Tags, same_column
from keyseq.errors import DataError
from keyseq.imports import require


def tag_parquet(source: CorpusSource, tags: Tags, out: BinaryIO) -> None:
    """Write the rows with a column of lists behind the last one; null in rows that are not documents."""
    require("pyarrow", "parquet")
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile, ParquetWriter

    kind, number = pa.list_(pa.string()), 0
    with source.open() as file, told_if_damaged(source):
        content = ParquetFile(file)
        before, name = content.schema_arrow, tags.rules.column
        if (there := same_column(name, before.names)) is not None:
            raise DataError(f"{source.name}: has a column '{there}' already; name another one with --column")
        document, _ = row_reader(source, before.names)
        schema = before.append(pa.field(name, kind))
        with ParquetWriter(out, schema) as writer:
            for batch in content.iter_batches(batch_size=BATCH):
                rows = enumerate(batch.to_pylist(), start=number + 1)
                found = [[tags.all_for(one) for one in source.documents([row], document)] for row in rows]
                column = pa.array([lists[0] if lists else None for lists in found], kind)
                writer.write_batch(pa.RecordBatch.from_arrays([*batch.columns, column], schema=schema))
                number += len(batch)
