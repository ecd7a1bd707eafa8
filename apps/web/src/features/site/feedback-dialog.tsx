import { Textarea, TextInput } from '@mantine/core'
import { ContactRequest } from '@guildhall/contract/features/site'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { formRules } from '../../platform/api/form-rules.ts'
import { feedback } from '../../platform/session/feedback.ts'
import { notLoggedIn } from '../../platform/session/session-tools.ts'
import { toast } from '../../platform/activity/toast.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useSendContactMessage } from './site-api.ts'

/** Reaches the administrators like the contact page does. Whoever is signed in need not say who they are. */
export function FeedbackDialog() {
  const { who } = feedback.use()
  const send = useSendContactMessage()
  const isKnown = who.id !== notLoggedIn.id && who.email !== ''
  return (
    <FormDialog
      key={who.id}
      opened
      onClose={feedback.close}
      title={t`Give feedback`}
      rules={formRules(ContactRequest)}
      values={{ name: isKnown ? who.name || who.email : '', email: who.email, topic: t`Feedback`, message: '' }}
      submitLabel={<Trans>Send feedback</Trans>}
      onSubmit={(values) => send.mutateAsync({ ...values, message: `${values.message}\n\n${location.pathname}` })}
      onDone={({ reference }) => toast.success(t`Thank you. Your feedback has reached the administrators as ${reference}.`)}
    >
      {(form) => (
        <>
          {!isKnown && (
            <>
              <TextInput label={t`Your name`} autoComplete="name" {...form.getInputProps('name')} />
              <TextInput label={t`E-mail`} type="email" autoComplete="email" {...form.getInputProps('email')} />
            </>
          )}
          <Textarea
            label={t`What works, and what does not?`}
            description={
              isKnown ? t`Sent as ${who.name} (${who.email}), with the address of this page.` : t`Sent with the address of this page.`
            }
            rows={6}
            resize="vertical"
            data-autofocus
            {...form.getInputProps('message')}
          />
        </>
      )}
    </FormDialog>
  )
}
