"""Train a network: validation, early stopping, exact resuming."""
