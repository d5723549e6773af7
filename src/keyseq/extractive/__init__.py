"""Systems that rank what the text contains, a method a file."""
