/** A name that a stranger chose, before words of ours: what turns the direction of text around ends with the name. */
export const isolated = (name: string): string => `\u2068${name.replace(/[\u2066-\u2069]/g, '')}\u2069`
