class Odometer:
    def __init__(self, size):
        self.size = size
        self.wheels = [0] * len(size)

    def turn(self, by):
        for d in range(len(self.size) - 1, -1, -1):
            self.wheels[d] += by
            by = self.wheels[d] // self.size[d]
            self.wheels[d] -= by * self.size[d]


def unravel(flat, size):
    odometer = Odometer(size)
    odometer.turn(flat)
    return tuple(odometer.wheels)
