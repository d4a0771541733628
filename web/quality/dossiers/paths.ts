/** Paths of the pages of a person and what is below them. */
export const dossierPath = (id: number): string => `/dossiers/${id}`
export const teamPath = (id: number): string => `/dossiers/teams/${id}`
export const talkPath = (id: number): string => `/dossiers/talks/${id}`
