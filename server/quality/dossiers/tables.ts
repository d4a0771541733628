/** All tables of dossiers. */
export * from './feedback/tables.ts'
export * from './memberships/tables.ts'
export * from './people/tables.ts'
export * from './positions/tables.ts'
export * from './talks/tables.ts'
export * from './talkTemplates/tables.ts'
export * from './teams/tables.ts'
export * from './words/tables.ts'
