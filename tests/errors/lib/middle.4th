\ Loaded by load-chain.4th; loads the faulty one, whose name it writes in its own way.
LOAD FAULTY.4TH
