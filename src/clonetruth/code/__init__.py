"""What source text is: languages, fragments, tokens, normal forms, similarity, clone types."""
