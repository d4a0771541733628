import type * as M from '@mantine/core'

/**
 * Default props by component name. Imports only types: `Button.extend` would put every component named here into the
 * bundle of the sign-in page.
 */
type Named<P> = { defaultProps?: Partial<P>; vars?: (theme: M.MantineTheme, props: P) => Record<string, object> }
const named = <P>(defaults: Named<P>): Named<P> => defaults
const fade = { duration: 80, transition: 'fade' } as const
const text = { defaultProps: { size: 'sm' } }
// the list of options scrolls itself, so that the keyboard can reach it
const choice = { defaultProps: { size: 'sm', withScrollArea: false } }
// Enter takes the first option that fits what was typed
const one = { defaultProps: { ...choice.defaultProps, selectFirstOptionOnChange: true } }

export const components: M.MantineThemeComponents = {
  TextInput: text,
  PasswordInput: text,
  Select: one,
  MultiSelect: choice,
  NumberInput: text,
  // the default padding would cut off the text
  NativeSelect: named<M.NativeSelectProps>({ defaultProps: { size: 'sm', styles: { input: { paddingBlock: 0 } } } }),
  Textarea: text,
  Autocomplete: choice,
  TagsInput: choice,
  ActionIcon: named<M.ActionIconProps>({
    defaultProps: { variant: 'subtle', color: 'secondary' },
    vars: (_, { size }) => ({ root: size === undefined ? { '--ai-size': 'var(--ink-icon)' } : {} }),
  }),
  Anchor: named<M.AnchorProps>({ defaultProps: { underline: 'hover', size: 'sm' } }),
  Badge: named<M.BadgeProps>({ defaultProps: { variant: 'light', radius: 'sm', size: 'md', tt: 'none', fw: 500 } }),
  Breadcrumbs: named<Partial<M.BreadcrumbsProps>>({ defaultProps: { separatorMargin: 6 } }),
  Button: named<M.ButtonProps>({
    defaultProps: { size: 'sm', fw: 500 },
    vars: (_, { size }) => ({
      root:
        size === 'xs'
          ? { '--button-height': 'var(--ink-small)', '--button-padding-x': '9px', '--button-fz': '0.75rem' }
          : { '--button-height': 'var(--ink-control)', '--button-padding-x': '12px', '--button-fz': '0.8125rem' },
    }),
  }),
  Checkbox: named<M.CheckboxProps>({ defaultProps: { size: 'xs', radius: 'xs' } }),
  Drawer: named<M.DrawerProps>({ defaultProps: { overlayProps: { backgroundOpacity: 0.4 } } }),
  // the browser tells of no change when people correct a file and choose it again
  FileButton: named<Partial<M.FileButtonProps>>({
    defaultProps: {
      inputProps: {
        onClick: ({ currentTarget }) => {
          currentTarget.value = ''
        },
      },
    },
  }),
  Input: named<M.InputProps>({
    vars: () => ({
      wrapper: {
        '--input-height': 'var(--ink-control)',
        '--input-fz': 'var(--ink-input-text)',
        '--input-padding-y': '6px',
      },
    }),
  }),
  InputWrapper: named<M.InputWrapperProps>({
    defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
  }),
  List: text,
  Kbd: named<M.KbdProps>({ defaultProps: { size: 'xs' } }),
  Menu: named<M.MenuProps>({
    defaultProps: {
      withInitialFocusPlaceholder: false,
      shadow: 'lg',
      position: 'bottom-end',
      radius: 'md',
      transitionProps: fade,
    },
  }),
  Modal: named<M.ModalProps>({
    defaultProps: {
      closeButtonProps: { 'aria-label': 'Close' },
      // the title bar of a dialog is not a banner of the page
      attributes: { header: { role: 'none' } },
      radius: 'lg',
      centered: true,
      overlayProps: { backgroundOpacity: 0.4 },
      transitionProps: { duration: 120, transition: 'pop' },
    },
  }),
  NavLink: named<M.NavLinkProps>({ defaultProps: { variant: 'subtle' } }),
  Popover: named<M.PopoverProps>({ defaultProps: { shadow: 'lg', radius: 'md', transitionProps: fade } }),
  Progress: named<M.ProgressProps>({ defaultProps: { size: 5, radius: 'xl' } }),
  Radio: named<M.RadioProps>({ defaultProps: { size: 'xs' } }),
  SegmentedControl: named<Partial<M.SegmentedControlProps>>({
    defaultProps: { size: 'xs', radius: 'sm', withItemsBorders: false },
  }),
  Skeleton: named<M.SkeletonProps>({ defaultProps: { radius: 'xs' } }),
  Switch: named<M.SwitchProps>({ defaultProps: { size: 'xs' } }),
  Table: named<M.TableProps>({ defaultProps: { verticalSpacing: 6, horizontalSpacing: 'sm' } }),
  Tabs: named<M.TabsProps>({ defaultProps: { keepMounted: false } }),
  Text: named<M.TextProps>({ defaultProps: { size: 'sm' } }),
  Tooltip: named<Partial<M.TooltipProps>>({
    defaultProps: {
      openDelay: 250,
      radius: 'sm',
      multiline: true,
      maw: 280,
      events: { hover: true, focus: true, touch: true },
    },
  }),
}
