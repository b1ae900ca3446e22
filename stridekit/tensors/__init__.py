"""A header over a storage: `Tensor`, storey by storey, and the ways to make one."""
