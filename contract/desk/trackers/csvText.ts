/** Reads CSV text: commas, semicolons or tabs, quoted cells with line breaks, with or without a byte order mark. */
export function readCsv(text: string): string[][] {
  const clean = text.replace(/^\uFEFF/, '')
  const separator = separatorOf(clean)
  const lines: string[][] = []
  let line: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    line.push(cell)
    cell = ''
  }
  const endLine = () => {
    endCell()
    if (line.some((one) => one !== '')) lines.push(line)
    line = []
  }
  for (let n = 0; n < clean.length; n++) {
    const sign = clean[n] ?? ''
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (clean[n + 1] === '"') {
        cell += '"'
        n++
      } else isQuoted = false
    } else if (sign === '"' && cell === '') isQuoted = true
    else if (sign === separator) endCell()
    else if (sign === '\n') endLine()
    else if (sign !== '\r') cell += sign
  }
  if (cell !== '' || line.length) endLine()
  return lines
}

/** The separator that occurs most often in the first line. */
function separatorOf(text: string): string {
  const [head = ''] = text.split('\n', 1)
  const count = (sign: string) => head.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}
