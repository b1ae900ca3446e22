"""Where notebooks run: a server with warm processes, learners' processes, and their referees."""
