"""`python -m keyseq`, the same as the `keyseq` command."""

from keyseq.cli import main

if __name__ == "__main__":
    main()
