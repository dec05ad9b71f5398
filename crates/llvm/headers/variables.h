/* Variables that other verifiers have without a declaration. */
extern int __CPROVER_rounding_mode;
extern int __ESBMC_rounding_mode;
