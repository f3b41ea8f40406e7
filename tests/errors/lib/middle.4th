\ Loaded by load-chain.4th; loads faulty.4th, whose name it writes in upper case.
LOAD FAULTY.4TH
