import css from './Login.module.css'

const codes =
  'US UR DE IPS VH SE CDN ORG DNS SC QC CA BF DA SU LE IFM QV AP TE WE RC DS IT SMS WS WG MA FTP AL BA CR WM WOR PL SH EV SCR TAG Q ESC FB'.split(
    ' ',
  )
/** Missing keys, and the highlighted one. */
const out = new Set([2, 7, 13, 16, 24, 29, 33, 38])
const HELD = 20
const tag =
  'M-9 19h28a6 6 0 0 1 6 6v33a6 6 0 0 1-2.2 4.6l-14 11.5a6 6 0 0 1-7.6 0l-14-11.5A6 6 0 0 1-15 58V25a6 6 0 0 1 6-6Z'

/** Drawing of a key board with one hook per room; decoration without motion. */
export const Board = () => (
  <div className={css.board}>
    <svg viewBox="0 0 560 900" preserveAspectRatio="xMidYMid slice" fill="none" aria-hidden>
      {Array.from({ length: 7 }, (_, row) => (
        <g key={codes[row]} transform={`translate(0 ${row * 140 - 10})`}>
          <path d="M0 24H560" className={css.rail} />
          {Array.from({ length: 6 }, (_, column) => (
            <Hook key={codes[row * 6 + column]} n={row * 6 + column} x={column * 100 + 30} />
          ))}
        </g>
      ))}
    </svg>
  </div>
)

const Hook = ({ n, x }: { n: number; x: number }) => (
  <g transform={`translate(${x} 24)`} className={css.hook} data-held={n === HELD}>
    <path d="M0-5v10a5 5 0 0 0 10 0" />
    {!out.has(n) && (
      <g transform={`rotate(${((n * 37) % 9) - 4} 5 10)`}>
        <path d="M5 10v9" />
        <path d={tag} className={css.tag} />
        <circle cx="5" cy="26.5" r="2.6" className={css.hole} />
        <text x="5" y="50" textAnchor="middle">
          {codes[n]}
        </text>
      </g>
    )}
  </g>
)
