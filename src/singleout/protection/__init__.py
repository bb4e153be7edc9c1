"""6 PROTECT: make released data coarser, sparser, shorter, noisier, or the same for k people."""
