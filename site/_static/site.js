// Lets the pictures of a page answer: the same code that a notebook gets from its kernel.
import { start } from "../touch.js";

start(document);
