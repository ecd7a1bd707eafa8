export { JoinsAndLeavesChart, MembersOverTimeChart, membersByMonth } from './growth-charts.tsx'
