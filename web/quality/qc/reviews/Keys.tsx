import { Kbd, Text } from '@mantine/core'
import { Section } from '../../../kit/frame/Section.tsx'
import css from '../qc.module.css'
import { reviewKeys } from './keys.ts'

/** List of the keyboard shortcuts of a review; hidden on touch screens. */
export const Keys = () => (
  <div className={css.keys}>
    <Section title="Keys">
      <dl>
        {reviewKeys.map(([key, act]) => (
          <div key={key}>
            <dt>
              <Kbd size="xs">{key}</Kbd>
            </dt>
            <Text component="dd" c="dimmed" fz="xs">
              {act}
            </Text>
          </div>
        ))}
      </dl>
    </Section>
  </div>
)
