"""The paper's tables and figures, each by one command: what is missing is trained and decoded, the rest is reused."""
