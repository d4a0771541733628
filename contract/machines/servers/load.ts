/** Programs that wait for a processor or a disk, for each core, from which a server counts as slow. */
export const SLOW_LOAD = 3

/** Whether everything takes longer on a server: it is waited for, and what failed meanwhile is tried again. */
export const isSlow = ({ load, cores }: { load: number; cores: number }): boolean => load > cores * SLOW_LOAD
