int gains(List<Integer> quantities, List<Integer> prices) {
    Queue<Integer> stock = new LinkedList<>();
    int result = 0;
    Iterator<Integer> price = prices.iterator();
    for (int quantity : quantities) {
        if (!price.hasNext()) break;
        int now = price.next();
        for (int piece = 0; piece < Math.abs(quantity); piece++) {
            if (quantity > 0) stock.add(now);
            else if (!stock.isEmpty()) result += now - stock.poll();
        }
    }
    return result;
}
