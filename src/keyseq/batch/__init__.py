"""Many documents: in parts, by several processes or a Ray cluster, resumed where a run was left."""

from keyseq.batch.cluster import Cluster
from keyseq.batch.corpus import Corpus
from keyseq.batch.dataset import predict
from keyseq.batch.parts import Parts
from keyseq.batch.run import Run
from keyseq.batch.workers import Workers

__all__ = ["Cluster", "Corpus", "Parts", "Run", "Workers", "predict"]
