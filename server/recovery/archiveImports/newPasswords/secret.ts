/** Name of the secret with a new password that nobody has seen yet. */
export const secretOf = (id: number) => `new-password:${id}`
