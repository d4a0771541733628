const quotedOrComment =
  /'[^'\\]*(?:(?:\\.?|'')[^'\\]*)*(?:'|$)|"[^"\\]*(?:(?:\\.?|"")[^"\\]*)*(?:"|$)|`[^`]*(?:`|$)|--[^\n]*|#[^\n]*|\/\*.*?(?:\*\/|$)/gs

/**
 * The text without comments, and with empty strings instead of quoted text. What is not closed ends with the text. Throws
 * for a comment that MariaDB executes: `/*! LOAD DATA … *\/ REPLACE …` begins with another word than it seems.
 */
const bare = (sql: string) =>
  sql
    .replaceAll(quotedOrComment, (found) => {
      if (/^\/\*M?!/i.test(found)) throw new Error('Leave out comments that MariaDB executes: /*! … */')
      return /^['"`]/.test(found) ? "''" : ' '
    })
    .trim()

/** Throws unless the text begins as a statement that changes rows. The engine refuses any further statement. */
export function refuseUnlessChange(sql: string): void {
  const text = bare(sql)
  const [verb = ''] = /^[a-z]+/i.exec(text) ?? []
  if (/^(?:create|alter|drop|truncate|rename|grant|revoke|comment|vacuum|analyze|optimize)$/i.test(verb))
    throw new Error(`${verb.toUpperCase()} has no way back: use a timed login, or an import, for changed definitions`)
  if (!/^(?:insert|update|delete|replace|merge|with)$/i.test(verb))
    throw new Error('Only INSERT, UPDATE, DELETE, REPLACE and MERGE change rows here')
  if (/\breturning\b/i.test(text)) throw new Error('Leave out RETURNING: the answer is the number of rows')
}
