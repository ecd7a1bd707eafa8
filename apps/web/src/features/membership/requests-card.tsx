import { MembershipRequests } from './requests.tsx'

export const RequestsCard = () => <MembershipRequests />
