"""What every server of a page needs: who may connect, windows, requests."""
