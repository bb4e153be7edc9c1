"""3 WEIGH: how unlike two people are. A weight is a constant minus a sum over the places both people have."""
