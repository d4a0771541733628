import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Found {
  look: string
  name: string
  path: string
  /** Share of differing pixels in percent; undefined where no picture was stored. */
  percent: number | undefined
}

/** The address of a picture in the page. */
const image = (kind: string, { look, name }: Found, ending: string) => `${kind}-${look}-${name}.${ending}`

/** Writes a page with the pictures before, after and the difference. Answers its path. */
export function writeReport(folder: string, found: readonly Found[]): string {
  const rows = found.map((one) => {
    const { look, name, path, percent } = one
    const whole = `<a href="${image('whole', one, 'png')}"><img src="${image('after', one, 'webp')}"></a>`
    const before = percent === undefined ? 'no picture yet' : `<img src="${image('before', one, 'webp')}">`
    const difference = percent === undefined || percent === 100 ? '' : `<img src="${image('difference', one, 'png')}">`
    return `<h2>${name}, ${look}: ${wordsOf(percent)}</h2><p>${path} · npm run looks -- --accept ${name}</p>
<div><figure>${before}<figcaption>before</figcaption></figure><figure>${whole}<figcaption>after (whole by a click)</figcaption></figure>
<figure>${difference}<figcaption>difference</figcaption></figure></div>`
  })
  const file = join(folder, 'index.html')
  writeFileSync(
    file,
    `<!doctype html><meta charset="utf-8"><title>Looks</title><style>
body{font:14px system-ui;margin:24px;background:#8a9499}h2{font-size:15px;margin:28px 0 2px}p{margin:0 0 8px}
div{display:flex;gap:12px;flex-wrap:wrap}figure{margin:0}img{max-width:640px;background:#fff}</style>
<h1>${found.length} pictures differ</h1>${rows.join('\n')}`,
  )
  return file
}

export const wordsOf = (percent: number | undefined): string =>
  percent === undefined ? 'new' : `${percent < 0.01 ? 'less than 0.01' : percent.toFixed(2)} % of the pixels`
