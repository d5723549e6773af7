"""Files of kinds that keyseq does not read, and what to do with them: most can be saved as one that it reads."""

from pathlib import PurePath

_SAVED_AS = {
    (".doc", ".rtf", ".wps", ".pages", ".gdoc"): "is a document that keyseq does not read; save it as .docx or .pdf",
    (".xls", ".xlsb", ".ods", ".numbers"): "is a workbook that keyseq does not read; save it as .xlsx or .csv",
    (".ppt", ".pptx", ".odp"): "holds slides, which keyseq does not read; save them as .pdf",
    (".enw", ".enl"): "is a library that keyseq does not read; export it as .ris or .bib",
    (".mobi", ".azw", ".azw3", ".fb2"): "is a book that keyseq does not read; convert it to .epub",
    (".ps", ".djvu", ".xps"): "is a document that keyseq does not read; convert it to .pdf",
    (".eml", ".msg", ".mht", ".mhtml"): "is of a kind that keyseq does not read; save it as .html or .txt",
    (".tex", ".ltx"): "is the source of a LaTeX document, which keyseq does not read; give the .pdf made of it",
    (".ipynb", ".opml"): "is of a kind that keyseq does not read; save it as .md or .html",
    (".rst", ".org", ".adoc", ".textile"): (
        "is marked up in a way that keyseq does not know; rename it to .txt, or convert it to .html"
    ),
    (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".gif", ".webp", ".heic"): (
        "is a picture, in which keyseq reads no text; make a .pdf with text of it (OCR)"
    ),
    (".rar", ".7z", ".tar", ".tgz"): "is an archive that keyseq does not read; unpack it, or make a .zip of it",
}
_BY_SUFFIX = {suffix: advice for suffixes, advice in _SAVED_AS.items() for suffix in suffixes}


def advice_for(name: str) -> str:
    """What to do with a file of a known kind that cannot be read; nothing for any other."""
    return _BY_SUFFIX.get(PurePath(name).suffix.lower(), "")
