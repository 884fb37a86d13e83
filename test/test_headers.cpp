// Gives the precompiled headers a target.
