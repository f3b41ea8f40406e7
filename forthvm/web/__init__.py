"""The board in the browser: a server, and the page that it shows.

Owns everything between a position and a browser.  Needs the extra `web`.
"""
