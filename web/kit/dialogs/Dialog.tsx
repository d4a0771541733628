// biome-ignore lint/style/noRestrictedImports: the one place that uses Modal
import { Modal, type ModalProps } from '@mantine/core'
import css from './Dialogs.module.css'
import { focusFirstField } from './focusFirstField.ts'

/** A dialog. Its first field has the focus, or its text if it has no field: never the closing cross. */
export const Dialog = ({ children, ...modal }: ModalProps) => (
  <Modal {...modal}>
    <div ref={focusFirstField} tabIndex={-1} className={css.body}>
      {children}
    </div>
  </Modal>
)
