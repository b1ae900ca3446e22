"""What a diagram shows, as plain data: tensors to a `Scene`. No pixels, no colours."""
