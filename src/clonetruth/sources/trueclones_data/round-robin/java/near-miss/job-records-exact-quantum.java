List<Integer> schedule(List<Integer> needs, int quantum) {
    class Job {
        int left;
        int end = 0;

        Job(int left) {
            this.left = left;
        }
    }
    List<Job> jobs = needs.stream().map(Job::new).collect(Collectors.toList());
    List<Job> waiting = jobs.stream().filter(job -> job.left > 0).collect(Collectors.toCollection(LinkedList::new));
    Job onProcessor = waiting.isEmpty() ? null : waiting.get(0);
    int time = 0;
    while (!waiting.isEmpty()) {
        Job job = waiting.remove(0);
        if (job != onProcessor) time++;
        onProcessor = job;
        if (job.left >= quantum) {
            time += quantum;
            job.left -= quantum;
            waiting.add(job);
        } else {
            time += job.left;
            job.end = time;
        }
    }
    return jobs.stream().map(job -> job.end).collect(Collectors.toList());
}
