import { Stack, Text, Textarea } from '@mantine/core'
import { Section } from '../kit/frame/Section.tsx'
import { SplitPane } from '../kit/frame/SplitPane.tsx'
import css from './Pieces.module.css'

/** Two panes with a border that moves, tabs on a phone. */
export const Panes = () => (
  <Section title="SplitPane" pad={false}>
    <div className={css.medium}>
      <SplitPane
        name="kit"
        panes={[
          {
            title: 'Conversation',
            content: <Text p={14}>The border moves by pointer, by the arrow keys, Home and End.</Text>,
          },
          {
            title: 'Review',
            content: (
              <Stack p={14}>
                <Textarea label="Comment" minRows={4} autosize placeholder="Stays when the other tab is shown" />
              </Stack>
            ),
          },
        ]}
      />
    </div>
  </Section>
)
