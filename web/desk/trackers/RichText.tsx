import { Anchor, Code, List, Text } from '@mantine/core'
import { splitLinks } from '../../kit/look/links.ts'
import { type Block, blocksOf, type Span, spansOf } from './formatting.ts'
import css from './trackers.module.css'

/** A text with headings, lists, quotes, code, bold, italic and links. HTML in it is shown as text. */
export const RichText = ({ text }: { text: string }) => (
  <div className={css.rich} dir="auto">
    {blocksOf(text).map((block) => (
      <Part key={block.at} block={block} />
    ))}
  </div>
)

function Part({ block: { kind, lines } }: { block: Block }) {
  const rows = lines.map((line, n) => ({ line, id: `${n} ${line}` }))
  if (kind === 'code') return <Code block>{lines.join('\n')}</Code>
  if (kind === 'list' || kind === 'numbers')
    return (
      <List type={kind === 'list' ? 'unordered' : 'ordered'}>
        {rows.map(({ line, id }) => (
          <List.Item key={id}>
            <Line text={line} />
          </List.Item>
        ))}
      </List>
    )
  const shown = rows.map(({ line, id }) => (
    <Text key={id} fw={kind === 'heading' ? 600 : undefined} className={css.line}>
      <Line text={line} />
    </Text>
  ))
  return kind === 'quote' ? <blockquote className={css.quote}>{shown}</blockquote> : <div>{shown}</div>
}

const Line = ({ text }: { text: string }) => spansOf(text).map((span) => <Styled key={span.at} span={span} />)

function Styled({ span: { text, style } }: { span: Span }) {
  if (style === 'code') return <Code>{text}</Code>
  const linked = splitLinks(text).map(({ at, text: part, href }) =>
    href ? (
      <Anchor key={at} href={href} target="_blank" rel="noopener" inherit underline="always">
        {part}
      </Anchor>
    ) : (
      <span key={at}>{part}</span>
    ),
  )
  if (style === 'bold') return <strong>{linked}</strong>
  return style === 'italic' ? <em>{linked}</em> : linked
}
