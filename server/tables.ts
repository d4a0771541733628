/** Every table, for migrations and queries. */
export * from './kit/tables.ts'
export * from './owners/tables.ts'
export * from './plans/tables.ts'
export * from './servers/tables.ts'
export * from './systemUsers/tables.ts'
export * from './users/tables.ts'
export * from './websites/tables.ts'
