"""Shares and their intervals, from independent, clustered and stratified samples."""
