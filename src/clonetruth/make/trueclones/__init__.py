"""TrueClones: functionalities in folders, executed in every language, and fresh variants of them."""
