// The accessors are generated from the schema beside this file. A target needs a source file of its own.
