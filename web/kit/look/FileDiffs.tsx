import { Stack, Text } from '@mantine/core'
import css from './FileDiffs.module.css'
import { Mono } from './Mono.tsx'

interface Props {
  files: readonly { file: string; lines: readonly string[]; where?: string }[]
  /** Text without differences. */
  none: string
}

/** Differences of files by line, with a few lines of context. */
export function FileDiffs({ files, none }: Props) {
  if (!files.length) return <Text c="dimmed">{none}</Text>
  return (
    <Stack gap={12}>
      {files.map(({ file, lines, where }) => (
        <div key={`${where} ${file}`}>
          <Text fz="xs" mb={4} style={{ overflowWrap: 'anywhere' }}>
            {where && `${where}: `}
            <Mono>{file}</Mono>
          </Text>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
          <section className={css.diff} tabIndex={0} aria-label={`Changes of ${file}`}>
            {lines.map((line, i) => {
              const Line = line.startsWith('-') ? 'del' : line.startsWith('+') ? 'ins' : 'span'
              // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat, and never move
              return <Line key={i}>{line}</Line>
            })}
          </section>
        </div>
      ))}
    </Stack>
  )
}
