"""Similarities of profiles: fields, blocking, friends."""
