"""What other documents were tagged with: profiles of known keyphrases, their counts, and nearest documents."""
