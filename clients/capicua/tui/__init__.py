"""The full-screen client: a person at a terminal, with keys and a mouse. It knows the public API and the rules."""
