"""Pages: one offline HTML file each."""
