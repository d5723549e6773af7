"""What a release is made with: distributions, their check, and the list of all that is in them."""
