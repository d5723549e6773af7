"""keyseq inside other libraries: pandas, scikit-learn, spaCy and Hugging Face datasets, a file each.

Each is imported from its own module, so that none of these libraries is needed for another.
"""
