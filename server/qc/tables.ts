/** All tables of support quality. */
export * from './conversations/tables.ts'
export * from './escalations/tables.ts'
export * from './feedback/tables.ts'
export * from './imports/tables.ts'
export * from './reviews/tables.ts'
export * from './settings/tables.ts'
export * from './talk/tables.ts'
