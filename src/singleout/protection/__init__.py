"""6 PROTECT: blunt the attack. What is released becomes coarser, sparser, shorter, noisier, or shared by k people."""
