/** All tables of the tracker. */
export * from './exchange/tables.ts'
export * from './files/tables.ts'
export * from './items/tables.ts'
export { trackerWords } from './items/words.ts'
export * from './links/tables.ts'
export * from './people/tables.ts'
export * from './settings/tables.ts'
export * from './talk/tables.ts'
